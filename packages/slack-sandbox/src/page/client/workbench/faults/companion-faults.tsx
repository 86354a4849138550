import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { ControlClient } from '../../state/control-client.ts';
import { useControlData } from '../../state/use-control-data.ts';
import type { CompanionData } from './fault-data.ts';
import { FaultForm } from './fault-form.tsx';
import { FaultList } from './fault-list.tsx';
import { errorMessage, request } from './request.ts';

interface Companion {
  readonly name: string;
  readonly url: string;
}

/** Injects faults into the companion service. Shows nothing if there is none. */
export function CompanionFaults({ control }: { readonly control: ControlClient }): ReactNode {
  const { data } = useControlData<{ companion: Companion | null }>(control, 'companion', []);
  if (!data) return null;
  if (data.companion) return <CompanionFaultForms companion={data.companion} />;
  return (
    <section className="trouble-part">
      <h3>Connected service</h3>
      <p className="subtle">
        This workspace runs without a companion service. Start everything with <code>npm run sandbox</code> to
        break the hosting service from here.
      </p>
    </section>
  );
}

function CompanionFaultForms({ companion }: { readonly companion: Companion }): ReactNode {
  const { name, url } = companion;
  const [data, setData] = useState<CompanionData>();
  const [error, setError] = useState('');
  const [kindName, setKindName] = useState('');
  const [route, setRoute] = useState('');
  const id = useId();

  const callService = useCallback(async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    await request(method, `companion/${path}`, body);
    setData(await request<CompanionData>('GET', 'companion/faults'));
  }, []);
  const report = useCallback((response: Promise<void>) => {
    response.then(
      () => setError(''),
      (error) => setError(errorMessage(error)),
    );
  }, []);

  useEffect(() => {
    report(callService('GET', 'faults'));
    const source = new EventSource('/sandbox/companion/events');
    source.addEventListener('message', ({ data }) => {
      if (['faults', 'reset'].includes(JSON.parse(data).kind)) report(callService('GET', 'faults'));
    });
    return () => source.close();
  }, [callService, report]);

  const kind = data?.kinds.find((one) => one.name === kindName) ?? data?.kinds[0];
  return (
    <section className="trouble-part" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{name}</h3>
      <p className="subtle">
        The service that the app calls, at{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {new URL(url).host}
        </a>
        .
      </p>
      <ErrorAlert text={error} />
      {data && kind && (
        <>
          <FaultList
            pending={data.waiting}
            triggered={data.struck}
            cancelPending={() => report(callService('DELETE', 'faults'))}
          />
          <div className="fault-target">
            <label>
              Fault
              <select value={kind.name} onChange={({ target }) => setKindName(target.value)}>
                {data.kinds.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </select>
            </label>
            <label>
              For which call
              <input
                type="text"
                list={`${id}-routes`}
                placeholder="any call"
                spellCheck={false}
                value={route}
                onChange={({ target }) => setRoute(target.value)}
              />
              <datalist id={`${id}-routes`}>
                {data.routes.map(({ method, path, summary }) => (
                  <option key={`${method} ${path}`} value={`${method} ${toPathPattern(path)}`}>
                    {summary}
                  </option>
                ))}
              </datalist>
            </label>
          </div>
          <FaultForm
            key={kind.name}
            kind={kind}
            isRepeatable
            verb="Inject Fault"
            onArm={(fault, times) => callService('POST', 'faults', { fault, times, ...parseRoute(route) })}
          />
          <p>
            <button type="button" onClick={() => report(callService('POST', 'reset', {}))}>
              Reset {name}
            </button>{' '}
            <span className="subtle">Restores the initial servers, keys, calls and faults.</span>
          </p>
        </>
      )}
    </section>
  );
}

/** Replaces the placeholders in a path by wildcards. */
function toPathPattern(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '*');
}

/** Parses `POST /v1/…`, `/v1/…`, `POST`, or an empty string. */
function parseRoute(route: string): { method?: string; path?: string } {
  const [, method, path] = /^([a-z]*)\s*(\/\S*)?$/i.exec(route.trim()) ?? [];
  return { ...(method && { method: method.toUpperCase() }), ...(path && { path }) };
}
