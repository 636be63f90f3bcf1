import { type BundleIcon, bundleIcon } from '@portal/domain/bundle.ts';
import { IconShape } from '../../ui/draw-icon.tsx';

const shapes: Record<BundleIcon, string> = {
  data: 'M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4',
  internet: 'M2.5 9a14 14 0 0 1 19 0M5.5 12.5a9.5 9.5 0 0 1 13 0M8.75 16a5 5 0 0 1 6.5 0M12 19.5h.01',
  sms: 'M4 4.5h16v12h-9l-4.5 4v-4H4v-12ZM8 9h8M8 12.5h5',
  international:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c2.5 2.5 3.75 5.5 3.75 9S14.5 18.5 12 21c-2.5-2.5-3.75-5.5-3.75-9S9.5 5.5 12 3Z',
  roaming: 'M21 3 3 10.5l6.5 3L12.5 20 21 3ZM9.5 13.5 21 3',
  default: 'M12 3 3 7.5l9 4.5 9-4.5L12 3ZM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5',
};

/** BUN-2: chosen by a keyword in the category, whose name is always shown beside it. */
export function CategoryIcon({ category }: { category: string }) {
  const icon = bundleIcon(category);
  return <IconShape path={shapes[icon]} data-icon={icon} />;
}
