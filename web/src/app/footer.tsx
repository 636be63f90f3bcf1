import { Link } from '../lib/link.tsx';
import { usePage } from '../lib/page.tsx';
import styles from './footer.module.css';
import type { Chrome } from './initial-page.ts';

export function Footer({ content }: { content: Chrome['footer'] }) {
  const { operator } = usePage();
  const { name } = operator.brand;
  return (
    <footer className={styles.footer}>
      <div className={styles.groups}>
        {content.groups.map(({ title, links }) => (
          <nav key={title} aria-label={`${name}: ${title}`}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ label, href }) => (
                <li key={href}>
                  <Link href={href}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p>{content.note}</p>
    </footer>
  );
}
