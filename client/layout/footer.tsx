import type { ReactNode } from 'react';
import { Wordmark } from '#client/components/logo/logo.tsx';
import { revealClass, useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { SUBSCRIBE_PATH, useSiteLinks } from './site-links.ts';
import { SubscribeLink } from './subscribe-link.tsx';
import './footer.css';

/** Renders the footer of every page (specification, section 2, Footer). */
export function Footer() {
  const t = useTexts();
  const site = useSettings();
  const isRevealed = useReveal(100);
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
          <Column title={t(en.about)} isRevealed={isRevealed} step={1}>
            <SiteLinks place="about" />
          </Column>
          <Column title={t(en.policies)} isRevealed={isRevealed} step={2}>
            <SiteLinks place="policies" />
          </Column>
          {site.social.length > 0 && (
            <Column title={t(en.followUs)} isRevealed={isRevealed} step={3}>
              {site.social.map(({ name, href }) => (
                <Entry key={name} href={href} rel="noopener me">
                  {name}
                </Entry>
              ))}
            </Column>
          )}
          {site.sisters.length > 0 && (
            <Column title={t(en.otherPublications)} isRevealed={isRevealed} step={4}>
              {site.sisters.map(({ name, href }) => (
                <Entry key={name} href={href} rel="noopener">
                  {name}
                </Entry>
              ))}
            </Column>
          )}
        </div>
        <p className={revealClass('footer-copyright', isRevealed, 5)}>
          © {site.foundedYear}–{/* A page that was rendered in another year differs. */}
          <span suppressHydrationWarning>{new Date().getFullYear()}</span> {site.copyright}
        </p>
      </div>
    </footer>
  );
}

function SiteLinks({ place }: { place: 'about' | 'policies' }) {
  return useSiteLinks(place).map(({ path, name }) =>
    path === SUBSCRIBE_PATH ? (
      <li key={path}>
        <SubscribeLink />
      </li>
    ) : (
      <Entry key={path} href={path}>
        {name}
      </Entry>
    ),
  );
}

interface ColumnProps {
  title: string;
  isRevealed: boolean;
  /** Its place in the order of the scroll effect, 1 to 5. */
  step: number;
  children: ReactNode;
}

function Column({ title, isRevealed, step, children }: ColumnProps) {
  const id = `footer-${step}`;
  return (
    <nav className={revealClass('footer-column', isRevealed, step)} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>{children}</ul>
    </nav>
  );
}

function Entry(link: { href: string; rel?: string; children: string }) {
  return (
    <li>
      <a {...link} />
    </li>
  );
}
