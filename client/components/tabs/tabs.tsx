import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react';
import './tabs.css';

interface Tab {
  label: string;
  panel: ReactNode;
}

/**
 * Renders tabs (APG pattern: arrow keys, Home and End select). The first is selected at the start; without JavaScript
 * the panels stand one after another, each below a heading.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId();
  const [selected, setSelected] = useState(0);
  // The tab changes with the tap, the layout of its panel in a frame of its own.
  const shown = useDeferredValue(selected);
  const list = useRef<HTMLDivElement>(null);

  function select(index: number) {
    const next = (index + tabs.length) % tabs.length;
    setSelected(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowRight: selected + 1,
      ArrowLeft: selected - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const move = moves[event.key];
    // With Alt an arrow key is Back or Forward.
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    select(move);
  }

  return (
    <div className="tabs">
      <div ref={list} className="tab-bar" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === selected}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <div
          key={tab.label}
          className={`tabs-panel${index === shown ? ' is-selected' : ''}`}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
        >
          <h2 className="tabs-heading ruled-heading">{tab.label}</h2>
          {tab.panel}
        </div>
      ))}
    </div>
  );
}
