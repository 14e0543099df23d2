import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Environment } from '../config/settings.js';

/** What a command has at hand: the services, and the two places to write to. */
export interface CommandContext {
  /** The folder the operator typed the command in; relative file names start there. */
  readonly calledFrom: string;
  /** Who is recorded for a change. */
  readonly operator: string;
  /**
   * Asked to stop (Ctrl-C): finish the current step, then end. A command that has not asked for this is ended at once, in
   * the middle of its work.
   */
  readonly interrupted: AbortSignal;
  /** The database as it is, whatever its schema; opened on first use. */
  readonly database: () => Promise<{ readonly url: string; readonly environment: Environment }>;
  /** The service's rooms, opened on first use, so that help and wrong usage need no database. */
  readonly services: () => Promise<INestApplicationContext>;
  /** Progress and hints, for people, on standard error. */
  readonly say: (sentence: string) => void;
  /** A bar on standard error, only on a terminal and never under `--json`. */
  readonly progress: (options: ProgressOptions) => Progress;
}

export interface ProgressOptions {
  /** How much there is to do. */
  readonly total: number;
  /** What is counted, for example `accounts`. */
  readonly unit: string;
}

/** A bar that is moved as the work goes on. */
export interface Progress {
  /** @param done how much more was done since the last call */
  readonly advance: (done: number) => void;
  readonly stop: () => void;
}

/** What a command answers: the document of `--json`, and the same for a person. */
export interface CommandResult {
  /** A member that is an AsyncIterable is written as a list, item by item, however long. */
  readonly json: unknown;
  /** Lines for a person, without a line end at the end; or pieces of them. */
  readonly text: string | AsyncIterable<string>;
  /** 1 when something was refused although the command ran (contract, section 6); 0 by default. */
  readonly exitCode?: 0 | 1;
}

/** Adds a room's commands to the program. `action` runs the work and prints its result; see cli.ts. */
export type RegisterCommands = (program: Command, action: CommandAction) => void;

/**
 * Makes a commander action of a piece of work.
 *
 * @param work gets the session, then the command's arguments and options as commander hands them over
 */
export type CommandAction = <Args extends unknown[]>(
  work: (session: CommandContext, ...args: Args) => Promise<CommandResult>,
) => (...args: Args) => Promise<void>;
