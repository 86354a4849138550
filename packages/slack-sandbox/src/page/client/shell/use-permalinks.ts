import { useEffect } from 'react';
import { appPlacesOf } from '../state/app-places.ts';
import { useSession } from '../state/session.ts';

/** Opens permalinks to messages that this person sees inside the page, without loading it again. */
export function usePermalinks(): void {
  const { workspace, me, navigate } = useSession();
  useEffect(() => {
    const findPlace = (id: string) => {
      const app = workspace.apps.find((each) => appPlacesOf(each, me.id).channel === id);
      return app ? appPlacesOf(app, me.id).messages : workspace.channels.find((each) => each.id === id)?.id;
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const [, id = '', seconds, micros] =
        /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(link.pathname) ?? [];
      const place = findPlace(id);
      if (link.origin !== location.origin || place === undefined) return;
      event.preventDefault();
      navigate({
        place,
        thread: new URLSearchParams(link.search).get('thread_ts') ?? undefined,
        message: seconds && `${seconds}.${micros}`,
      });
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [workspace, me.id, navigate]);
}
