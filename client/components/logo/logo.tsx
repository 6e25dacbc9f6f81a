import { useSettings } from '#client/layout/site-context.tsx';

/**
 * Renders the publication's logo: that of the site folder, or a circle with an off-centre meridian arc. Decorative, so hidden
 * from screen readers.
 */
export function Logo() {
  const { logo } = useSettings();
  if (logo) return <img className="logo" src={logo} alt="" />;
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle cx="16" cy="16" r="14" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M16 2c7.5 7 7.5 21 0 28" fill="none" stroke="var(--accent)" strokeWidth="1.75" />
      <path d="M2 16h28" fill="none" stroke="currentColor" strokeWidth="0.75" opacity="0.5" />
    </svg>
  );
}
