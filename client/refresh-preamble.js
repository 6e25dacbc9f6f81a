/** Development only: the React Refresh preamble, which `@vitejs/plugin-react` would write inline into the document. */
import RefreshRuntime from '/@react-refresh';

RefreshRuntime.injectIntoGlobalHook(window);
window.$RefreshReg$ = () => undefined;
window.$RefreshSig$ = () => (type) => type;
