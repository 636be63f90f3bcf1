import styles from './gallery.module.css';
import * as icons from './icon.tsx';
import * as pageIcons from './page-icons.tsx';

export function GalleryIcons() {
  return (
    <ul className={styles.icons}>
      {[...Object.entries(icons), ...Object.entries(pageIcons)].map(([name, Icon]) => (
        <li key={name}>
          <Icon />
          {name.replace('Icon', '')}
        </li>
      ))}
    </ul>
  );
}
