import { paths, withQuery } from '@portal/domain/paths.ts';
import { Link } from '../lib/link.tsx';
import { usePage } from '../lib/page.tsx';
import { HelpIcon } from '../ui/icon.tsx';
import { BrandMark } from './brand-mark.tsx';
import styles from './header.module.css';
import type { Chrome } from './initial-page.ts';

export function Header({ content }: { content: Chrome['header'] }) {
  const { t, operator } = usePage();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link href={paths.home} className={styles.brand}>
          <BrandMark size={28} />
          {operator.brand.name}
        </Link>
        <nav className={styles.links} aria-label={t('common.mainMenu')}>
          {content.links.map(({ label, href }) => (
            <Link key={href} href={href}>
              {label}
            </Link>
          ))}
        </nav>
        <LanguageSwitch />
        <Link href={paths.help} className={styles.help} aria-label={t('common.help')}>
          <HelpIcon />
          <span>{t('common.help')}</span>
        </Link>
      </div>
    </header>
  );
}

/** Links that work without script; `?lang=` stores the choice, also for the language whose paths have no prefix. */
function LanguageSwitch() {
  const page = usePage();
  const { t, operator, language, path, query } = page;
  return (
    <nav className={styles.languages} aria-label={t('common.language')}>
      {operator.languages.map(({ code, name, prefix, locale }) => (
        <a
          key={code}
          href={withQuery(prefix + path, { ...query, lang: code })}
          hrefLang={locale}
          lang={locale}
          aria-current={code === language.code ? 'true' : undefined}
          title={name}
          onClick={(event) => {
            event.preventDefault();
            page.changeLanguage(code);
          }}
        >
          <span aria-hidden="true">{code}</span>
          <span className="visually-hidden">{name}</span>
        </a>
      ))}
    </nav>
  );
}
