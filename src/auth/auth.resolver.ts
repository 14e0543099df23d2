import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { formatDateTime } from '../infrastructure/clock/dates.js';
import { Public } from '../infrastructure/routes/public.js';
import { ForceReauthentication, ObtainServiceToken, ObtainServiceTokenInput, Viewer } from './auth.dto.js';
import { ClientAddress, CurrentCaller, type Caller } from './caller.js';
import { ServiceTokensService } from './service-tokens.service.js';

/** The GraphQL operations for tokens (specification 5; choices A1, A4). */
@Resolver()
export class AuthResolver {
  constructor(private readonly serviceTokens: ServiceTokensService) {}

  @Public()
  @Mutation(() => ObtainServiceToken, { description: 'Obtain a token with an API key or a refresh token.' })
  obtainServiceToken(
    @Args('input') input: ObtainServiceTokenInput,
    @ClientAddress() address: string,
  ): Promise<ObtainServiceToken> {
    return this.serviceTokens.obtain(input, address);
  }

  @Mutation(() => ForceReauthentication, {
    description:
      'Revoke every token and refresh token that was issued to the caller’s organisation until now.',
  })
  async forceReauthentication(@CurrentCaller() caller: Caller): Promise<ForceReauthentication> {
    const effectiveAt = await this.serviceTokens.revokeAll(caller);
    return { effectiveAt: formatDateTime(effectiveAt) };
  }

  @Query(() => Viewer, { description: 'The owner of the token.' })
  viewer(@CurrentCaller() caller: Caller): Viewer {
    return { organisation: { id: caller.organisationId, name: caller.organisationName } };
  }
}
