import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { iconDrawing, iconNames, readIcon } from './icons.ts';
import { loadPack } from './load-pack.ts';

/** The pixels of a PNG as a browser writes it: 8 bits, RGB or RGBA, not interlaced. */
function pixelsOf(png: Buffer): { side: number; at: (x: number, y: number) => string } {
  const side = png.readUInt32BE(16);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let start = 8; start < png.length; start += 12 + png.readUInt32BE(start))
    if (png.toString('latin1', start + 4, start + 8) === 'IDAT')
      parts.push(png.subarray(start + 8, start + 8 + png.readUInt32BE(start)));
  const raw = inflateSync(Buffer.concat(parts));
  const line = side * channels;
  const out = Buffer.alloc(line * side);
  for (let y = 0; y < side; y++)
    for (let i = 0; i < line; i++) {
      const left = i < channels ? 0 : (out[y * line + i - channels] ?? 0);
      const up = y === 0 ? 0 : (out[(y - 1) * line + i] ?? 0);
      const corner = y === 0 || i < channels ? 0 : (out[(y - 1) * line + i - channels] ?? 0);
      const guess = [left, up, corner].sort(
        (one, other) => Math.abs(left + up - corner - one) - Math.abs(left + up - corner - other),
      )[0];
      const added = [0, left, up, Math.floor((left + up) / 2), guess ?? 0][raw[y * (line + 1)] ?? 0] ?? 0;
      out[y * line + i] = (raw[y * (line + 1) + 1 + i] ?? 0) + added;
    }
  return { side, at: (x, y) => `#${out.toString('hex', y * line + x * channels, y * line + x * channels + 3)}` };
}

test.each(['mg', 'ng', 'cd'])('the icons of %s have its own colours and sign', async (code) => {
  const { brand } = await loadPack(code);
  const { night = '#1d1b3a', 'flame-bright': bright = '#ff8a4c' } = brand.tokens;
  expect(iconDrawing(brand)).toContain(`fill="${night}"`);
  expect(iconDrawing(brand)).toContain(bright);
  if (brand.mark) expect(iconDrawing(brand)).toContain(brand.mark);
  for (const name of iconNames) {
    const { side, at } = pixelsOf(await readIcon(code, name));
    expect(side).toBe(Number(/\d+$/.exec(name)?.[0]));
    // A phone may crop to a circle of four fifths, so the corners have only the background.
    if (!name.startsWith('icon')) expect(at(0, 0), name).toBe(night);
    expect(at(side / 2, Math.round(side * 0.06)), name).toBe(night);
    const colours = new Set<string>();
    for (let y = 0; y < side; y += 2) for (let x = 0; x < side; x += 2) colours.add(at(x, y));
    expect(colours, name).toContain(bright);
    // The flame is filled in the middle, a mark drawn with lines is not.
    if (code === 'ng') expect(at(side / 2, side / 2), name).toBe(night);
  }
});
