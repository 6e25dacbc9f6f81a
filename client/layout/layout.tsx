import { Outlet } from 'react-router';
import { Header } from '#client/layout/header/header.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { NavigationAnnouncer } from '#client/routing/navigation-announcer.tsx';
import * as en from '#shared/texts/en.ts';
import { Footer } from './footer.tsx';
import { NavigationSkeleton } from './navigation-skeleton.tsx';
import { NewsletterProvider } from './subscribe-link.tsx';

/** Renders what is around every page: skip link, header, footer, the Subscribe dialog and the announcer. */
export function Layout() {
  const t = useTexts();
  return (
    <>
      <a className="skip-link" href="#main">
        {t(en.skipLink)}
      </a>
      <NewsletterProvider>
        <Header />
        <main id="main" tabIndex={-1}>
          <NavigationSkeleton>
            <Outlet />
          </NavigationSkeleton>
        </main>
        <Footer />
      </NewsletterProvider>
      <NavigationAnnouncer />
    </>
  );
}
