import { Link } from '../lib/link.tsx';
import { usePage } from '../lib/page.tsx';
import styles from './footer.module.css';
import type { Chrome } from './initial-page.ts';

export function Footer({ content }: { content: Chrome['footer'] }) {
  const { operator } = usePage();
  const { number } = operator.care;
  return (
    <footer className={styles.footer}>
      <p>{content.note.includes(number) ? <a href={`tel:${number}`}>{content.note}</a> : content.note}</p>
      <div className={styles.groups}>
        {content.groups.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <details>
              <summary>
                <h2>{title}</h2>
              </summary>
              <ul>
                {links.map(({ label, href }) => (
                  <li key={href}>
                    <Link href={href}>{label}</Link>
                  </li>
                ))}
              </ul>
            </details>
          </nav>
        ))}
      </div>
    </footer>
  );
}
