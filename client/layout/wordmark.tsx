import { Logo } from '#client/components/logo/logo.tsx';
import { useSettings } from '#client/layout/site-context.tsx';

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
