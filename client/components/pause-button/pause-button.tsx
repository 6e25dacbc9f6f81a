import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import './pause-button.css';

interface PauseButtonProps {
  paused: boolean;
  onToggle: () => void;
  /** What it pauses: the end of its accessible name. */
  label: string;
}

/** Renders the button that pauses and resumes autoplay. */
export function PauseButton({ paused, onToggle, label }: PauseButtonProps) {
  const t = useTexts();
  return (
    <button type="button" className="pause-button" onClick={onToggle}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={paused ? 'M2 1v10l9-5z' : 'M2 1h3v10H2zM7 1h3v10H7z'} fill="currentColor" />
      </svg>
      <span className="visually-hidden">{t(paused ? en.play : en.pause, { what: label })}</span>
    </button>
  );
}
