// Pool adjacent violators: blocks {from, to, mean} of rising means (sign = 1) or falling ones (sign = -1).
function pool(values, sign = 1) {
  const stack = [];
  values.forEach((v, i) => {
    let block = {from: i, to: i + 1, sum: v, mean: v};
    while (stack.length && sign * stack.at(-1).mean >= sign * block.mean) {
      const {from, sum} = stack.pop();
      block = {from, to: i + 1, sum: sum + block.sum, mean: (sum + block.sum) / (i + 1 - from)};
    }
    stack.push(block);
  });
  return stack;
}
