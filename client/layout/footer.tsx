import { Wordmark } from '#client/components/logo/logo.tsx';
import { useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { SUBSCRIBE_PATH, useSiteLinks } from './site-links.ts';
import { SubscribeLink } from './subscribe-link.tsx';
import './footer.css';

/** Renders the footer of every page (specification, section 2, Footer). */
export function Footer() {
  const t = useTexts();
  const site = useSettings();
  const reveal = useReveal(100);
  const columns = [
    { title: en.about, links: useSiteLinks('about') },
    { title: en.policies, links: useSiteLinks('policies') },
    { title: en.followUs, links: site.social, rel: 'noopener me' },
    { title: en.otherPublications, links: site.sisters, rel: 'noopener' },
  ];
  return (
    <footer className="footer">
      <div className="page">
        <div className="footer-head">
          <Wordmark />
          <p className="footer-mails">
            <a href={`mailto:${site.emails.media}`}>{site.emails.media}</a>
            <a href={`mailto:${site.emails.sales}`}>{site.emails.sales}</a>
          </p>
        </div>
        <div className="footer-columns">
          {columns.map(({ title, links, rel }, index) => {
            const id = `footer-${index + 1}`;
            if (links.length === 0) return null;
            return (
              <nav key={id} className={reveal('footer-column', index + 1)} aria-labelledby={id}>
                <h2 id={id}>{t(title)}</h2>
                <ul>
                  {links.map(({ name, href }) => (
                    <li key={href}>
                      {href === SUBSCRIBE_PATH ? (
                        <SubscribeLink />
                      ) : (
                        <a href={href} rel={rel}>
                          {name}
                        </a>
                      )}
                    </li>
                  ))}
                </ul>
              </nav>
            );
          })}
        </div>
        <p className={reveal('footer-copyright', 5)}>
          © {site.foundedYear}–{/* A page that was rendered in another year differs. */}
          <span suppressHydrationWarning>{new Date().getFullYear()}</span> {site.copyright}
        </p>
      </div>
    </footer>
  );
}
