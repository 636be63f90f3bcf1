import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { type Bounds, insideOrSwapped, isInside, mercator, type Point } from '@portal/domain/geo.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { call } from '../lib/api.ts';
import { nearestTo, placesNamed } from '../lib/known-places.ts';
import { useLanguage } from '../lib/language.tsx';
import {
  closestZoom,
  decimalsAt,
  isShown,
  type MapView,
  metresAway,
  metresPerPixel,
  moved,
  type Pixel,
  pixelOf,
  pointAt,
  pointZoom,
  roundDown,
  type Size,
  townZoom,
  viewAround,
  viewOf,
  zoomed,
} from '../lib/map-view.ts';
import { pointOf, readPoint, written } from '../lib/read-point.ts';
import { useFormat } from '../lib/use-format.ts';
import { MapDrawing } from './map-drawing.tsx';
import { type Country, Doubts, useCountry } from './point-check.tsx';

type Landmark = ConsoleResult<'landmarks'>[number];

interface Props {
  /** As typed; an invalid point is not marked. */
  latitude: string;
  longitude: string;
  /** The town that the entry names, if it does. */
  town: string;
  region: string;
  /** The entry itself is no landmark. */
  own: { sheet: string; key: string } | null;
  change: (point: { latitude: string; longitude: string }) => void;
}

/** Where an entry is: by a pasted point, or on a map by pointer or keys. */
export function PlaceMap(props: Props) {
  const country = useCountry();
  const place = ({ lat, lng }: Point, decimals: number) =>
    props.change({ latitude: written(lat, decimals), longitude: written(lng, decimals) });
  const known = pointOf(props);
  // The map moves to a pasted point, however much of the country it showed.
  const [pasted, setPasted] = useState('');
  function paste({ lat, lng }: Point) {
    place({ lat, lng }, 6);
    setPasted(`${lat} ${lng}`);
  }
  return (
    <Stack gap="sm">
      <PastedPoint bounds={country?.bounds ?? null} at={`${props.latitude} ${props.longitude}`} place={paste} />
      {country && <MapOfCountry key={pasted} {...props} country={country} point={known} place={place} />}
    </Stack>
  );
}

interface PastedProps {
  bounds: Bounds | null;
  /** The point of the form, as it is written. */
  at: string;
  place: (point: Point) => void;
}

/** Coordinates or a link, as somebody sent them. */
function PastedPoint({ bounds, at, place }: PastedProps) {
  const { say } = useLanguage();
  const [text, setText] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [read, setRead] = useState<{ lat: string; lng: string } | null>(null);
  // Once the point was moved, what was pasted would contradict it.
  if (read && at !== `${read.lat} ${read.lng}`) {
    setRead(null);
    setText('');
  }
  // Some people, and some programs, write the longitude first.
  const pointIn = (typed: string) => {
    const point = readPoint(typed);
    return point && bounds ? (insideOrSwapped(point, bounds) ?? point) : point;
  };
  function change(next: string) {
    const point = pointIn(next);
    // Text that is typed letter by letter is judged when the field is left, because it is incomplete until then.
    setLeft(Math.abs(next.length - text.length) > 1);
    setText(next);
    setRead(point && { lat: written(point.lat, 6), lng: written(point.lng, 6) });
    if (point) place(point);
  }
  return (
    <TextInput
      label={say('sheet.paste')}
      description={read ? say('sheet.pasteRead', read) : say('sheet.pasteHint')}
      error={isLeft && text.trim() !== '' && !read ? say('sheet.pasteWrong') : undefined}
      value={text}
      maxLength={2_000}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
      onPaste={() => setTimeout(() => setLeft(true))}
      onBlur={() => setLeft(true)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        setLeft(true);
      }}
    />
  );
}

interface MapProps extends Props {
  country: Country;
  point: Point | null;
  place: (point: Point, decimals: number) => void;
}

const height = 320;
/** In pixels: a press that moves less is a click. */
const slack = 4;
/** At smaller scales the shops and sites of a town would cover each other. */
const landmarksFrom = 10;

function MapOfCountry({ country, point, place, town, region, own }: MapProps) {
  const { say } = useLanguage();
  const { distance } = useFormat();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const size = useMemo(() => ({ width: width || 320, height }), [width]);
  const moves = useMoves(country, point, size);
  const { view, setView, mark, zoom } = moves;
  const landmarks = useLandmarks(view, size).filter(({ sheet, key }) => sheet !== own?.sheet || key !== own.key);
  const towns = useMemo(() => placesNamed(country.places, town, region), [country, town, region]);
  const [named] = towns;
  const hint = useId();
  const step = roundDown(10 * metresPerPixel(view, size));
  const put = (next: Point) => place(next, decimalsAt(view));
  const svg = useRef<SVGSVGElement>(null);
  useWheel(svg, zoom);
  const drag = useDrag({ view, setView, click: (pixel) => put(pointAt(pixel, view, size)) });
  const press = (event: KeyboardEvent) => {
    const [east, north] = arrows[event.key] ?? [0, 0];
    const isArrow = east !== 0 || north !== 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isArrow && event.shiftKey) moves.pan(east, -north);
    else if (isArrow) {
      const middle = { x: size.width / 2, y: size.height / 2 };
      const next = point ? metresAway(point, east * step, north * step) : pointAt(middle, view, size);
      put(next);
      if (!isShown(pixelOf(mercator(next), view, size), size, 20)) setView(viewAround(next, view.zoom));
      tellChange(event.currentTarget);
    } else if (event.key === '+' || event.key === '=') zoom(1);
    else if (event.key === '-') zoom(-1);
    else return;
    event.preventDefault();
  };
  const nearest = point && nearestTo(point, [...landmarks, ...country.places]);
  return (
    <>
      <Group gap="xs" align="end">
        <PlaceChoice country={country} choose={(one) => setView(viewAround(one, townZoom))} />
        {named && (
          <Button variant="default" onClick={() => setView(viewAround(named, townZoom))}>
            {say('sheet.mapCentre', { place: named.name })}
          </Button>
        )}
      </Group>
      <div ref={ref} style={{ width: '100%', height }}>
        <svg
          ref={svg}
          role="application"
          aria-label={say('sheet.map')}
          aria-describedby={hint}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
          tabIndex={0}
          className="map"
          width={size.width}
          height={height}
          onKeyDown={press}
          {...drag}
        >
          <MapDrawing country={country} landmarks={landmarks} view={view} size={size} mark={mark} />
        </svg>
      </div>
      <MapButtons moves={moves} point={point} />
      <Text size="sm" role="status">
        {point && nearest
          ? say('sheet.mapNear', {
              lat: written(point.lat, 6),
              lng: written(point.lng, 6),
              distance: distance(nearest.kilometres * 1000),
              name: nearest.place.name,
            })
          : say('sheet.mapNoPoint')}
      </Text>
      <div role="status">{point && <Doubts country={country} point={point} towns={towns} />}</div>
      <Text size="sm" c="dimmed" id={hint}>
        {say('sheet.mapKeys', { distance: distance(step) })}
      </Text>
    </>
  );
}

type Moves = ReturnType<typeof useMoves>;

/** What the map shows. It moves to a point that was typed or pasted outside of it. */
function useMoves(country: Country, point: Point | null, size: Size) {
  const whole = useMemo(() => viewOf(country.bounds, size), [country, size]);
  const [chosen, setView] = useState<MapView | null>(() => (point ? viewAround(point, pointZoom) : null));
  const view = chosen ?? whole;
  const mark = point && pixelOf(mercator(point), view, size);
  const at = point && isInside(point, country.bounds) ? `${point.lat} ${point.lng}` : '';
  const before = useRef(at);
  useEffect(() => {
    if (at === before.current) return;
    before.current = at;
    if (point && mark && !isShown(mark, size, 10)) setView(viewAround(point, Math.max(view.zoom, pointZoom)));
  }, [at, point, mark, view, size]);
  return {
    view,
    setView,
    mark,
    isWidest: view.zoom <= whole.zoom,
    zoom(by: number, to?: Pixel) {
      const middle = { x: size.width / 2, y: size.height / 2 };
      const kept = to ?? (mark && isShown(mark, size) ? mark : middle);
      setView(zoomed(view, by, kept, size, whole.zoom));
    },
    pan: (east: number, south: number) =>
      setView(moved(view, { x: (east * size.width) / 4, y: (south * size.height) / 4 })),
  };
}

function MapButtons({ moves, point }: { moves: Moves; point: Point | null }) {
  const { say } = useLanguage();
  const { view, setView, zoom, pan } = moves;
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Group gap="xs" role="group" aria-label={say('sheet.mapButtons')}>
      <Button {...button} onClick={() => zoom(1)} disabled={view.zoom >= closestZoom}>
        {say('sheet.mapCloser')}
      </Button>
      <Button {...button} onClick={() => zoom(-1)} disabled={moves.isWidest}>
        {say('sheet.mapFurther')}
      </Button>
      {pans.map(([way, sign, east, south]) => (
        <Button key={way} {...button} aria-label={say(`sheet.pan.${way}`)} onClick={() => pan(east, south)}>
          {sign}
        </Button>
      ))}
      <Button {...button} onClick={() => setView(null)}>
        {say('sheet.mapWhole')}
      </Button>
      {point && (
        <Button {...button} onClick={() => setView(viewAround(point, Math.max(view.zoom, pointZoom)))}>
          {say('sheet.mapToPoint')}
        </Button>
      )}
    </Group>
  );
}

function PlaceChoice({ country, choose }: { country: Country; choose: (place: Point) => void }) {
  const { say } = useLanguage();
  const byLabel = useMemo(
    () => new Map(country.places.map((one) => [[one.name, one.region].filter(Boolean).join(', '), one])),
    [country],
  );
  const labels = useMemo(() => [...byLabel.keys()], [byLabel]);
  return (
    <Select
      label={say('sheet.mapPlace')}
      data={labels}
      limit={30}
      searchable
      nothingFoundMessage={say('sheet.mapNoPlace')}
      onChange={(label) => {
        const place = byLabel.get(label ?? '');
        if (place) choose(place);
      }}
    />
  );
}

const noLandmarks: Landmark[] = [];

/** Loads shops and sites of a larger area than is shown, so that not every movement sends a request. */
function useLandmarks(view: MapView, size: Size): Landmark[] {
  const isClose = view.zoom >= landmarksFrom;
  const [wide, high] = [size.width / 2 / 2 ** view.zoom, size.height / 2 / 2 ** view.zoom];
  const middle = { ...view, x: Math.round(view.x / wide) * wide, y: Math.round(view.y / high) * high };
  const southWest = pointAt({ x: -size.width / 2, y: size.height * 1.5 }, middle, size);
  const northEast = pointAt({ x: size.width * 1.5, y: -size.height / 2 }, middle, size);
  const box = {
    ...{ south: southWest.lat.toFixed(4), west: southWest.lng.toFixed(4) },
    ...{ north: northEast.lat.toFixed(4), east: northEast.lng.toFixed(4) },
  };
  const found = useQuery({
    queryKey: ['landmarks', box],
    queryFn: () => call('landmarks', box),
    enabled: isClose,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
  return isClose ? (found.data ?? noLandmarks) : noLandmarks;
}

/** The wheel changes the scale of a map that has the focus; otherwise it scrolls the page as everywhere. */
function useWheel(svg: RefObject<SVGSVGElement | null>, zoom: (by: number, at: Pixel) => void) {
  const latest = useRef(zoom);
  latest.current = zoom;
  useEffect(() => {
    const map = svg.current;
    function turn(event: WheelEvent) {
      if (!map || (document.activeElement !== map && !event.ctrlKey)) return;
      event.preventDefault();
      const box = map.getBoundingClientRect();
      latest.current(event.deltaY < 0 ? 1 : -1, { x: event.clientX - box.left, y: event.clientY - box.top });
    }
    // React listens passively, so that the page would scroll as well.
    map?.addEventListener('wheel', turn, { passive: false });
    return () => map?.removeEventListener('wheel', turn);
  }, [svg]);
}

interface Dragging {
  view: MapView;
  setView: (view: MapView) => void;
  click: (at: Pixel) => void;
}

/** A press that moves drags the map; any other press is a click. */
function useDrag({ view, setView, click }: Dragging) {
  const start = useRef<{ pixel: Pixel; view: MapView; isDrag: boolean } | null>(null);
  const pixelIn = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  return {
    onPointerDown(event: PointerEvent<SVGSVGElement>) {
      if (event.button !== 0) return;
      event.currentTarget.focus({ preventScroll: true });
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { pixel: pixelIn(event), view, isDrag: false };
    },
    onPointerMove(event: PointerEvent<SVGSVGElement>) {
      const from = start.current;
      if (!from) return;
      const pixel = pixelIn(event);
      const by = { x: from.pixel.x - pixel.x, y: from.pixel.y - pixel.y };
      if (!from.isDrag && Math.hypot(by.x, by.y) < slack) return;
      from.isDrag = true;
      setView(moved(from.view, by));
    },
    onPointerUp(event: PointerEvent<SVGSVGElement>) {
      const from = start.current;
      start.current = null;
      if (!from || from.isDrag) return;
      click(pixelIn(event));
      tellChange(event.currentTarget);
    },
    onPointerCancel() {
      start.current = null;
    },
  };
}

/** The dialog around it asks before it discards what was changed. */
const tellChange = (map: Element) => map.dispatchEvent(new InputEvent('input', { bubbles: true }));

const arrows: Partial<Record<string, readonly [east: number, north: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const pans = [
  ['north', '↑', 0, -1],
  ['south', '↓', 0, 1],
  ['west', '←', -1, 0],
  ['east', '→', 1, 0],
] as const;
