// Counts pages without cookies: one request when the page is there, and one for each navigation.
const count = (path) => {
  const event = new URL('/ereignis', 'https://zaehler.example');
  event.searchParams.set('seite', path);
  navigator.sendBeacon(event, '');
};

count(location.pathname);
document.addEventListener('site:navigate', ({ detail }) => count(detail.path));
