import { Outlet } from 'react-router';
import { Header } from '#client/layout/header/header.tsx';
import { NavigationAnnouncer } from '#client/routing/navigation-announcer.tsx';
import { Footer } from './footer.tsx';
import { NavigationSkeleton } from './navigation-skeleton.tsx';
import { NewsletterProvider } from './newsletter-opener.tsx';

/** Renders what is around every page: skip link, header, footer, the Subscribe dialog and the announcer. */
export function Layout() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the main text
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
