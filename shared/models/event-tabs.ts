/** Tabs of the event list: values of the `tab` parameter. */
export const EVENT_TABS = ['all', 'upcoming', 'past'] as const;

export type EventTab = (typeof EVENT_TABS)[number];
