import { Text } from '@mantine/core';
import { mercator, type Point } from '@portal/domain/geo.ts';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';

const width = 240;

interface Props {
  /** As typed; an invalid point is not marked. */
  latitude: string;
  longitude: string;
  change: (point: { latitude: string; longitude: string }) => void;
}

/** A point on the country's map, so that swapped coordinates are obvious. It moves by a click or by typing. */
export function PlaceMap({ latitude, longitude, change }: Props) {
  const { say } = useLanguage();
  const found = useQuery({ queryKey: ['countryOutline'], queryFn: () => call('countryOutline'), staleTime: Infinity });
  if (!found.data) return null;
  const { bounds, outline } = found.data;
  const [low, high] = [
    mercator({ lat: bounds.south, lng: bounds.west }),
    mercator({ lat: bounds.north, lng: bounds.east }),
  ];
  const scale = width / (high.x - low.x);
  const height = (high.y - low.y) * scale;
  const placed = (point: Point) => {
    const { x, y } = mercator(point);
    return { x: (x - low.x) * scale, y: (high.y - y) * scale };
  };
  const path = outline
    .map((ring) => {
      const points = ring.map(([lng, lat]) => placed({ lat, lng }));
      return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
    })
    .join('');
  const point = { lat: numberIn(latitude), lng: numberIn(longitude) };
  const mark = Number.isFinite(point.lat + point.lng) ? placed(point) : null;

  function click(event: MouseEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const x = low.x + (((event.clientX - box.left) / box.width) * width) / scale;
    const y = high.y - (((event.clientY - box.top) / box.height) * height) / scale;
    const lat = (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90;
    // A pixel is some kilometres wide, so more digits would be false precision.
    change({ latitude: lat.toFixed(2), longitude: x.toFixed(2) });
  }

  return (
    <figure style={{ margin: 0 }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users type into the fields beside it */}
      <svg
        role="img"
        aria-label={say('sheet.map')}
        viewBox={`0 0 ${width} ${height.toFixed(1)}`}
        style={{ width: '100%', maxWidth: width, cursor: 'crosshair', border: '1px solid currentColor' }}
        onClick={click}
      >
        <path d={path} fill="currentColor" fillOpacity={0.15} stroke="currentColor" strokeWidth={0.6} />
        {mark && (
          <circle cx={mark.x} cy={mark.y} r={5} fill="var(--mantine-color-red-6)" stroke="white" strokeWidth={1.5} />
        )}
      </svg>
      <Text component="figcaption" size="sm">
        {say('sheet.mapText', { lat: latitude || '–', lng: longitude || '–', km: Math.ceil(111 / scale) })}
      </Text>
    </figure>
  );
}

const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));
