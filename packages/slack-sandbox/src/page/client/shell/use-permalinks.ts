import { useEffect } from 'react';
import { useSession } from '../state/session.ts';

/** Opens permalinks to this workspace's messages inside the page. */
export function usePermalinks(): void {
  const { workspace, navigate } = useSession();
  const host = `${workspace.team.domain}.slack.com`;
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const url = link && URL.canParse(link.href) ? new URL(link.href) : undefined;
      const [, place, seconds, micros] =
        /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(url?.pathname ?? '') ?? [];
      if (url?.host !== host || !place) return;
      event.preventDefault();
      navigate({
        place,
        thread: url.searchParams.get('thread_ts') ?? undefined,
        message: seconds && `${seconds}.${micros}`,
      });
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [host, navigate]);
}
