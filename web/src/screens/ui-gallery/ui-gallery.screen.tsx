import { UiGallery } from '../../ui/gallery.tsx';

export function Screen() {
  return <UiGallery />;
}
