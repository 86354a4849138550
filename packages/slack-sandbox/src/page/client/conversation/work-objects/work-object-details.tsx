import type { ReactNode } from 'react';
import { isObject } from '../../../../json.ts';
import { renderByIndex } from '../../block-kit/render-by-index.ts';
import { Dialog } from '../../components/dialog.tsx';
import type { WorkObject } from '../../state/control-api.ts';
import { useSession } from '../../state/session.ts';
import { useControlData } from '../../state/use-control-data.ts';
import { describeObject } from './describe-object.ts';

interface Presentation {
  readonly metadata?: WorkObject;
  readonly user_auth_required?: boolean;
  readonly user_auth_url?: string;
  readonly error?: unknown;
}

interface OpenedObject {
  readonly trigger_id: string;
  readonly details?: Presentation;
}

interface Props {
  /** The trigger with which the person opened the object. */
  readonly trigger: string;
  readonly title: string;
  close(): void;
}

/** What the app presents of a work object that the person has opened. */
export function WorkObjectDetails({ trigger, title, close }: Props): ReactNode {
  const { control, workspace } = useSession();
  const { data } = useControlData<{ opened: readonly OpenedObject[] }>(control, 'entity-details', ['entity']);
  const details = data?.opened.find(({ trigger_id: id }) => id === trigger)?.details;
  return (
    <Dialog title={title} onClose={close}>
      <div className="dialog-body work-object-details">
        {details ? (
          <Details details={details} />
        ) : (
          <p role="status">{workspace.app.name} has not presented any details yet.</p>
        )}
      </div>
    </Dialog>
  );
}

function Details({ details }: { readonly details: Presentation }): ReactNode {
  const { metadata, user_auth_required: needsSignIn, user_auth_url: url, error } = details;
  if (isObject(error)) {
    return <p role="alert">{String(error.custom_message ?? error.status ?? 'The app reported an error.')}</p>;
  }
  if (needsSignIn && url !== undefined) {
    return (
      <p>
        The app asks you to sign in:{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </p>
    );
  }
  if (!metadata) return null;
  const { kind, fields } = describeObject(metadata);
  return (
    <>
      <p className="subtle">{kind}</p>
      <dl>
        {renderByIndex(fields, ({ label, text }) => (
          <>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
    </>
  );
}
