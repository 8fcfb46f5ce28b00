// [height, slope] of the cutting plane of the most violated ordering at w, as cutting_plane in bowl/__init__.py
function worstPlane(base, test, sick, k, w) {
  const s = base.map((b, i) => b + w * test[i]), places = [];
  for (let j = sick; j < s.length; j++) places.push(j);
  places.sort((i, j) => s[j] - s[i] || i - j);
  let height = 0, slope = 0;
  for (let i = 0; i < sick; i++) places.forEach((j, r) => {
    const prize = r < k ? 1 : 0;
    if (s[i] - s[j] < prize) { height += prize - (base[i] - base[j]); slope -= test[i] - test[j]; }
  });
  return [height / (sick * k), slope / (sick * k)];
}
