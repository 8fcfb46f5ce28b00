// [height, slope] of the plane of the worst order at w, as worst_plane of bowl.py
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
