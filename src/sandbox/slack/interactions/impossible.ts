/** Something that nobody can do in Slack's client: press what is not there, write where one is not. */
export class Impossible extends Error {
  readonly status: 400 | 404;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.name = 'Impossible';
    this.status = status;
  }
}
