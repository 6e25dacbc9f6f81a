import './pause-button.css';

export interface PauseButtonProps {
  paused: boolean;
  onToggle: () => void;
  /** What it stops, in words: the end of its name. */
  what: string;
}

/** Stops what moves by itself, and starts it again. */
export function PauseButton({ paused, onToggle, what }: PauseButtonProps) {
  return (
    <button type="button" className="pause-button" onClick={onToggle}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={paused ? 'M2 1v10l9-5z' : 'M2 1h3v10H2zM7 1h3v10H7z'} fill="currentColor" />
      </svg>
      <span className="visually-hidden">
        {paused ? 'Play' : 'Pause'} {what}
      </span>
    </button>
  );
}
