import { revealClass, useReveal } from '#client/hooks/use-reveal.ts';
import { site } from '#shared/site.ts';
import { SubscribeLink } from './subscribe-link.tsx';
import { Wordmark } from './wordmark.tsx';
import './footer.css';

/** Renders the footer of every page (specification, section 2, Footer). */
export function Footer() {
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
          <nav className={revealClass('footer-column', isRevealed, 1)} aria-labelledby="footer-about">
            <h2 id="footer-about">About</h2>
            <ul>
              <li>
                <a href="/about">About Us</a>
              </li>
              <li>
                <a href="/contact-us">Contact Us</a>
              </li>
              <li>
                <SubscribeLink />
              </li>
              <li>
                <a href="/sitemap">Sitemap</a>
              </li>
            </ul>
          </nav>
          <nav className={revealClass('footer-column', isRevealed, 2)} aria-labelledby="footer-policies">
            <h2 id="footer-policies">Policies</h2>
            <ul>
              <li>
                <a href="/privacy-policy">Privacy Policy</a>
              </li>
              <li>
                <a href="/opt-out-form">Do Not Sell My Information</a>
              </li>
            </ul>
          </nav>
          <nav className={revealClass('footer-column', isRevealed, 3)} aria-labelledby="footer-follow">
            <h2 id="footer-follow">Follow us</h2>
            <ul>
              {site.social.map(({ network, name, href }) => (
                <li key={network}>
                  <a href={href} rel="noopener me">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <nav className={revealClass('footer-column', isRevealed, 4)} aria-labelledby="footer-sisters">
            <h2 id="footer-sisters">Other Publications</h2>
            <ul>
              {site.sisters.map(({ name, href }) => (
                <li key={name}>
                  <a href={href} rel="noopener">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <p className={revealClass('footer-copyright', isRevealed, 5)}>
          © {site.foundedYear}–{new Date(site.privacyUpdated).getUTCFullYear()} {site.copyright}
        </p>
      </div>
    </footer>
  );
}
