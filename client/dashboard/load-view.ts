const RELOADED = 'dashboard-reloaded';

/** Loads a view. Where its file is gone, as after a deploy, loads the document again, once. */
export async function loadView<T>(load: () => Promise<T>, reload = () => location.reload()): Promise<T> {
  try {
    const view = await load();
    sessionStorage.removeItem(RELOADED);
    return view;
  } catch (error) {
    if (sessionStorage.getItem(RELOADED) !== null) throw error;
    sessionStorage.setItem(RELOADED, '');
    reload();
    // The document goes away.
    return new Promise(() => undefined);
  }
}
