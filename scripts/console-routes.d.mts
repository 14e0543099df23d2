export interface ConsoleRoute {
  readonly address: string;
  readonly isForm: boolean;
  readonly roles: readonly string[];
}

export function consoleRoutes(source: {
  readonly ConsoleModule: object;
  readonly For: object;
}): ConsoleRoute[];
