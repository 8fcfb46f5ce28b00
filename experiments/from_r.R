# What R says of 113 patients (nbs/data/asah.csv): a line "name value ..." for each call that nbs/howto/from_r.ipynb translates.
# Rscript experiments/from_r.R nbs/data/asah.csv; packages that are not installed are left out.
there <- function(package) suppressWarnings(suppressMessages(require(package, character.only = TRUE, quietly = TRUE)))
say <- function(name, ...) cat(name, format(as.numeric(c(...)), digits = 17), "\n")
version <- function(package) cat("version", package, as.character(packageVersion(package)), "\n")

d <- read.csv(commandArgs(TRUE)[1], comment.char = "#")
y <- d$poor; a <- d$s100b; b <- d$ndka
version("base")

if (there("pROC")) {
  version("pROC")
  one <- function(s) roc(y, s, levels = c(0, 1), direction = "<")
  r <- one(a); r2 <- one(b)
  say("pROC auc", auc(r), auc(r2))
  say("pROC partial", auc(r, partial.auc = c(1, .9)))
  say("pROC partial corrected", auc(r, partial.auc = c(1, .9), partial.auc.correct = TRUE))
  say("pROC partial se", auc(r, partial.auc = c(1, .9), partial.auc.focus = "se"))
  say("pROC partial se inside", auc(r, partial.auc = c(.9, .8), partial.auc.focus = "se"))
  say("pROC ci.auc", ci.auc(r))
  say("pROC var", var(r))
  say("pROC cov", cov(r, r2))
  test <- roc.test(r, r2)
  say("pROC roc.test", test$statistic, test$p.value, test$conf.int)
  say("pROC roc.test less", roc.test(r, r2, alternative = "less")$p.value)
  apart <- roc.test(r, r2, paired = FALSE)
  say("pROC roc.test unpaired", apart$statistic, apart$parameter, apart$p.value)
  at <- coords(r, .205, ret = c("tp", "fn", "fp", "tn", "sensitivity", "specificity", "ppv", "npv", "accuracy"), transpose = TRUE)
  say("pROC coords", at)
  best <- coords(r, "best", ret = c("threshold", "youden", "sensitivity", "specificity"), transpose = TRUE)
  say("pROC coords best", best)
  near <- coords(r, "best", best.method = "closest.topleft", ret = c("sensitivity", "specificity"), transpose = TRUE)
  say("pROC coords topleft", near)
  say("pROC coords specificity", coords(r, .9, input = "specificity", ret = "sensitivity", transpose = TRUE))
  say("pROC coords sensitivity", coords(r, .9, input = "sensitivity", ret = "specificity", transpose = TRUE))
  weighed <- coords(r, "best", best.weights = c(5, .2), ret = c("sensitivity", "specificity"), transpose = TRUE)
  say("pROC coords weights", weighed)
  say("pROC power.roc.test", power.roc.test(auc = .75, ncases = 30, ncontrols = 60, sig.level = .05)$power)
}
if (there("ROCR")) {
  version("ROCR")
  p <- prediction(a, y)
  value <- function(...) performance(p, ...)@y.values[[1]]
  say("ROCR auc fpr.stop", value("auc", fpr.stop = .1))
  cut <- which(p@cutoffs[[1]] == .22)
  for (measure in c("acc", "f", "prec", "rec", "lift", "rpp", "mat")) say(paste("ROCR", measure), value(measure)[cut])
}
if (there("rms")) {
  version("rms")
  v <- val.prob(plogis(4 * a - 2), y, pl = FALSE)
  say("rms val.prob", v[c("C (ROC)", "Dxy", "Brier", "Intercept", "Slope", "Eavg", "E90", "Emax")])
  fit <- glm(y ~ offset(4 * a - 2), family = binomial)
  say("glm in the large", coef(fit), confint.default(fit))
  line <- glm(y ~ I(4 * a - 2), family = binomial)
  say("glm line", coef(line), confint.default(line))
}
say("prop.test", prop.test(26, 41, correct = FALSE)$conf.int)
order_of <- order(a, -y)
say("isoreg", sum(isoreg(y[order_of])$yf^2))
