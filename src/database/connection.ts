import pg from 'pg';

/**
 * A connection that remembers how it was lost.
 *
 * pg tells of the loss once, to whoever listens at that moment. For an instant nobody does, while the pool hands the
 * connection to TypeORM: then the loss would end the process. To whoever uses the connection afterwards pg says only that
 * it cannot be used.
 */
export class Connection extends pg.Client {
  loss: Error | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', (error) => {
      this.loss ??= error;
    });
  }
}
