interface Policy {
  createHTML(html: string): TrustedHTML;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
const policy = isFactory(factory) ? factory.createPolicy('rich-text', { createHTML: (html) => html }) : null;

/** The server's safe HTML, marked for browsers that let only marked text become markup (Content-Security-Policy). */
export function trustedHtml(html: string): string | TrustedHTML {
  return policy ? policy.createHTML(html) : html;
}
