import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';

/** Loaded when somebody first asks for it: few readers of a page do. */
const NewsletterDialog = lazy(async () => {
  const { NewsletterDialog } = await import('../components/newsletter/newsletter-dialog.tsx');
  return { default: NewsletterDialog };
});

const context = createContext<(() => void) | null>(null);

/** Holds the one Subscribe popup of the page, for every Subscribe on it. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState(0);
  return (
    <context.Provider value={() => setAsked((times) => times + 1)}>
      {children}
      {asked > 0 && (
        <Suspense fallback={null}>
          <NewsletterDialog asked={asked} />
        </Suspense>
      )}
    </context.Provider>
  );
}

/** Opens the popup. Null where there is none: the link then acts as a link. */
export function useNewsletter(): (() => void) | null {
  return useContext(context);
}
