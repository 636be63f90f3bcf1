import styles from './gallery.module.css';
import * as icons from './icon.tsx';

export function GalleryIcons() {
  return (
    <ul className={styles.icons}>
      {Object.entries(icons).map(([name, Icon]) => (
        <li key={name}>
          <Icon />
          {name.replace('Icon', '')}
        </li>
      ))}
    </ul>
  );
}
