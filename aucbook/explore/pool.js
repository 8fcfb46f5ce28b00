// Pool adjacent violators: blocks {from, to, mean} with increasing (sign = 1) or decreasing means (sign = -1).
function pool(values, sign = 1, weights = values.map(() => 1)) {
  const stack = [];
  values.forEach((v, i) => {
    let block = {from: i, to: i + 1, sum: weights[i] * v, weight: weights[i], mean: v};
    while (stack.length && sign * stack.at(-1).mean >= sign * block.mean) {
      const {from, sum, weight} = stack.pop();
      block = {from, to: i + 1, sum: sum + block.sum, weight: weight + block.weight, mean: (sum + block.sum) / (weight + block.weight)};
    }
    stack.push(block);
  });
  return stack;
}
