export { NotFound as Page } from '../../layout/not-found.tsx';
