import { usePage } from '../lib/page.tsx';
import { IconShape } from '../ui/draw-icon.tsx';
import { FlameIcon } from '../ui/icon.tsx';

/** The operator's mark; the flame where a pack has none of its own. */
export function BrandMark({ size }: { size: number }) {
  const { mark } = usePage().operator.brand;
  return mark ? <IconShape path={mark} size={size} /> : <FlameIcon size={size} />;
}
