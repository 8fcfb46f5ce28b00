"""What all wings stand on, and nobody else imports: checks, sorting, pooling, bins, samples, the base of estimators."""
