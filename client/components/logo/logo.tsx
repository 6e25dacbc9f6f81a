import { useSettings } from '#client/layout/site-context.tsx';

/**
 * Renders the publication's logo: that of the site folder, or a disc that a meridian divides, its right part in the accent's
 * colour. Decorative, so hidden from screen readers.
 */
export function Logo() {
  const { logo } = useSettings();
  if (logo) return <img className="logo" src={logo} alt="" />;
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" aria-hidden="true" focusable="false">
      <path d="M15 2.1a14 14 0 0 0 0 27.8c6-7.8 6-20 0-27.8z" fill="currentColor" />
      <path d="M18 2.1a14 14 0 0 1 0 27.8c5.6-8.2 5.6-19.6 0-27.8z" fill="var(--accent)" />
    </svg>
  );
}

/** Renders the site's name in the headline serif, beside the logo. */
export function Wordmark() {
  const site = useSettings();
  return (
    <span className="wordmark">
      <Logo />
      <span className="wordmark-name">{site.name}</span>
    </span>
  );
}
