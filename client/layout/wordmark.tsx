import { Logo } from '#client/components/logo/logo.tsx';
import { site } from '#shared/site.ts';

/** The name in the headline serif, beside the mark. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <Logo />
      <span className="wordmark-name">{site.name}</span>
    </span>
  );
}
