import { Link } from 'react-router';
import { site } from '#shared/site.ts';
import { useLoadedSteps } from '../effects/use-loaded-steps.ts';
import { SubscribeLink } from './subscribe-link.tsx';
import { Wordmark } from './wordmark.tsx';
import './footer.css';

/** The foot of every page (specification, section 2, Footer). */
export function Footer() {
  const steps = useLoadedSteps({ threshold: 100, stepMs: 150 });
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
          <nav className={steps >= 1 ? 'loaded' : undefined} aria-labelledby="footer-about">
            <h2 id="footer-about">About</h2>
            <ul>
              <li>
                <Link to="/about">About Us</Link>
              </li>
              <li>
                <Link to="/contact-us">Contact Us</Link>
              </li>
              <li>
                <SubscribeLink />
              </li>
              <li>
                <Link to="/sitemap">Sitemap</Link>
              </li>
            </ul>
          </nav>
          <nav className={steps >= 2 ? 'loaded' : undefined} aria-labelledby="footer-policies">
            <h2 id="footer-policies">Policies</h2>
            <ul>
              <li>
                <Link to="/privacy-policy">Privacy Policy</Link>
              </li>
              <li>
                <Link to="/opt-out-form">Do Not Sell My Information</Link>
              </li>
            </ul>
          </nav>
          <nav className={steps >= 3 ? 'loaded' : undefined} aria-labelledby="footer-follow">
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
          <nav className={steps >= 4 ? 'loaded' : undefined} aria-labelledby="footer-sisters">
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
        <p className="footer-copyright">
          © {site.foundedYear}–{new Date(site.privacyUpdated).getUTCFullYear()} {site.copyright}
        </p>
      </div>
    </footer>
  );
}
