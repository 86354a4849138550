import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import type { Control } from '../control.ts';
import type { CompanionFacts } from './facts.ts';
import { Failure } from './failure.tsx';
import { FaultForm } from './fault-form.tsx';
import { FaultState } from './fault-state.tsx';
import { request, wordsOf } from './request.ts';
import { useFacts } from './use-facts.ts';

interface Companion {
  readonly name: string;
  readonly url: string;
}

/** Breaks what stands beside the workspace, if anything does. */
export function CompanionTrouble({ control }: { readonly control: Control }): ReactNode {
  const { facts } = useFacts<{ companion: Companion | null }>(control, 'companion', []);
  if (!facts) return null;
  if (facts.companion) return <Faults companion={facts.companion} />;
  return (
    <section className="trouble-part">
      <h3>Beside the workspace</h3>
      <p className="subtle">
        Nothing stands beside this workspace. Start everything with <code>npm run sandbox</code> to break the
        hosting service from here.
      </p>
    </section>
  );
}

function Faults({ companion }: { readonly companion: Companion }): ReactNode {
  const { name, url } = companion;
  const [facts, setFacts] = useState<CompanionFacts>();
  const [failure, setFailure] = useState('');
  const [kindName, setKindName] = useState('');
  const [route, setRoute] = useState('');
  const id = useId();

  const ask = useCallback(async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    await request(method, `companion/${path}`, body);
    setFacts(await request<CompanionFacts>('GET', 'companion/faults'));
  }, []);
  const tell = useCallback((asking: Promise<void>) => {
    asking.then(
      () => setFailure(''),
      (error) => setFailure(wordsOf(error)),
    );
  }, []);

  useEffect(() => {
    tell(ask('GET', 'faults'));
    const source = new EventSource('/sandbox/companion/events');
    source.addEventListener('message', ({ data }) => {
      if (['faults', 'reset'].includes(JSON.parse(data).kind)) tell(ask('GET', 'faults'));
    });
    return () => source.close();
  }, [ask, tell]);

  const kind = facts?.kinds.find((one) => one.name === kindName) ?? facts?.kinds[0];
  return (
    <section className="trouble-part" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{name}</h3>
      <p className="subtle">
        What the app calls, at{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {new URL(url).host}
        </a>
        .
      </p>
      <Failure words={failure} />
      {facts && kind && (
        <>
          <FaultState {...facts} callOff={() => tell(ask('DELETE', 'faults'))} />
          <div className="fault-target">
            <label>
              What goes wrong
              <select value={kind.name} onChange={({ target }) => setKindName(target.value)}>
                {facts.kinds.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </select>
            </label>
            <label>
              On which call
              <input
                type="text"
                list={`${id}-routes`}
                placeholder="any call"
                spellCheck={false}
                value={route}
                onChange={({ target }) => setRoute(target.value)}
              />
              <datalist id={`${id}-routes`}>
                {facts.routes.map(({ method, path, summary }) => (
                  <option key={`${method} ${path}`} value={`${method} ${withStars(path)}`}>
                    {summary}
                  </option>
                ))}
              </datalist>
            </label>
          </div>
          <FaultForm
            key={kind.name}
            kind={kind}
            waits
            verb="Break It"
            ask={(fault, times) => ask('POST', 'faults', { fault, times, ...callOf(route) })}
          />
          <p>
            <button type="button" onClick={() => tell(ask('POST', 'reset', {}))}>
              Reset {name}
            </button>{' '}
            <span className="subtle">Servers, keys, calls and faults as at the start.</span>
          </p>
        </>
      )}
    </section>
  );
}

/** A path's placeholders stand for anything. */
function withStars(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '*');
}

/** Reads `POST /v1/…`, `/v1/…`, `POST` or nothing. */
function callOf(route: string): { method?: string; path?: string } {
  const [, method, path] = /^([a-z]*)\s*(\/\S*)?$/i.exec(route.trim()) ?? [];
  return { ...(method && { method: method.toUpperCase() }), ...(path && { path }) };
}
