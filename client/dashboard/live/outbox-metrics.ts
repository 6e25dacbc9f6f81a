import { age, count } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

const pendingOf = ({ outbox: { pending } }: LiveMetrics) => pending.submissions + pending.views;
const messages = (n: number) => (n === 1 ? '1 message' : `${count(n)} messages`);

export const PENDING_MESSAGES: Metric<LiveMetrics> = {
  label: 'Outbox: pending',
  about: 'Form submissions and view counts that are not delivered to the upstream yet.',
  metric: 'outbox_messages',
  of: (live) => messages(pendingOf(live)),
  isAlarming: (live) => isAlarming('pendingMessages', pendingOf(live)),
};

export const OLDEST_MESSAGE: Metric<LiveMetrics> = {
  label: 'Oldest message',
  about: 'Age of the oldest pending message. Minutes mean that the upstream takes nothing.',
  metric: 'outbox_oldest_message_age_seconds',
  of: (live) => (pendingOf(live) === 0 ? '–' : age(live.outbox.oldestMessageAgeSeconds)),
  isAlarming: ({ outbox }) => isAlarming('oldestMessageAgeSeconds', outbox.oldestMessageAgeSeconds),
};

export const REJECTED_MESSAGES: Metric<LiveMetrics> = {
  label: 'Outbox: rejected',
  about: 'Messages that the upstream rejected. They are kept until an operator retries them: see Outbox.',
  metric: 'outbox_messages',
  of: ({ outbox }) => messages(outbox.rejected),
  isAlarming: ({ outbox }) => isAlarming('rejectedMessages', outbox.rejected),
};
