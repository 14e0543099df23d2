import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { Repository } from 'typeorm';
import { Token, type Organisation } from './entities.js';

export interface RequestWithOrganisation extends FastifyRequest {
  organisation: Organisation;
}

/** Looks up the token and adds its organisation to the request. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithOrganisation>();
    const value = request.headers.authorization?.replace(/^Token /, '');
    if (!value) throw new UnauthorizedException();
    const token = await this.tokens.findOne({ where: { value }, relations: { organisation: true } });
    if (!token) throw new UnauthorizedException();
    request.organisation = token.organisation;
    return true;
  }
}
