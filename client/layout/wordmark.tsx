import { Logo } from '#client/components/logo/logo.tsx';
import { site } from '#shared/site.ts';

/** Renders the site's name in the headline serif, beside the logo. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <Logo />
      <span className="wordmark-name">{site.name}</span>
    </span>
  );
}
