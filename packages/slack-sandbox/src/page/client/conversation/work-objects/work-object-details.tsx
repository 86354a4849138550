import { type ReactNode, useState } from 'react';
import { isObject } from '../../../../json.ts';
import { renderByIndex } from '../../block-kit/render-by-index.ts';
import { Dialog } from '../../components/dialog.tsx';
import type { WorkObject } from '../../state/control-api.ts';
import { useSession } from '../../state/session.ts';
import { useControlData } from '../../state/use-control-data.ts';
import { describeObject, readButtons } from './describe-object.ts';
import { ObjectButtons, type ObjectPlace } from './object-buttons.tsx';

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
  readonly place: ObjectPlace;
  /** The trigger with which the person opened the object. */
  readonly trigger: string;
  readonly title: string;
  close(): void;
}

/** The details of an opened work object, as the app presents them. */
export function WorkObjectDetails({ place, trigger, title, close }: Props): ReactNode {
  const { control, workspace } = useSession();
  const { data } = useControlData<{ opened: readonly OpenedObject[] }>(control, 'entity-details', ['entity']);
  // A click on a button of the details gives the app a trigger for newer ones.
  const [triggers, setTriggers] = useState<readonly string[]>([trigger]);
  const details = data?.opened.findLast(
    ({ trigger_id: id, details: presented }) => triggers.includes(id) && presented !== undefined,
  )?.details;
  const clicked = (newer: string) => setTriggers((before) => [...before, newer]);
  return (
    <Dialog title={title} onClose={close}>
      <div className="dialog-body work-object-details">
        {details ? (
          <Details details={details} place={place} clicked={clicked} />
        ) : (
          <p role="status">{workspace.app.name} has not presented any details yet.</p>
        )}
      </div>
    </Dialog>
  );
}

interface DetailsProps {
  readonly details: Presentation;
  readonly place: ObjectPlace;
  clicked(trigger: string): void;
}

function Details({ details, place, clicked }: DetailsProps): ReactNode {
  const { metadata, user_auth_required: needsSignIn, user_auth_url: url, error } = details;
  if (isObject(error)) {
    return (
      <>
        <p role="alert">{String(error.custom_message ?? error.status ?? 'The app reported an error.')}</p>
        <ObjectButtons place={place} buttons={readButtons(error.actions)} clicked={clicked} />
      </>
    );
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
  const { kind, fields, buttons } = describeObject(metadata);
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
      <ObjectButtons place={place} buttons={buttons} clicked={clicked} />
    </>
  );
}
