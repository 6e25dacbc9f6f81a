import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormWithOutcome, type FormWithOutcomeProps } from './form-with-outcome.tsx';
import { ResultLine } from './result-line.tsx';

/** Asks the listener something that changes nothing. Editing a field takes the response away. */
export function QueryForm<Data>({
  action,
  query,
  summaryOf,
  render,
  ...form
}: Pick<FormWithOutcomeProps, 'about' | 'children' | 'isWide'> & {
  /** The label of the button that sends the query. */
  action: string;
  query: () => Promise<Data>;
  /** The response in one line, which is announced. */
  summaryOf: (data: Data) => string;
  render: (data: Data) => ReactNode;
}) {
  const { mutate, reset, isPending, error, data } = useMutation({ mutationFn: query });
  return (
    <FormWithOutcome
      {...form}
      onEdit={reset}
      onSubmit={mutate}
      buttons={
        <button type="submit" className="primary">
          {action}
        </button>
      }
      outcome={
        <>
          <ResultLine busy={isPending} error={error} text={data && summaryOf(data)} />
          {data && render(data)}
        </>
      }
    />
  );
}
