import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { TokenClaims } from './token.service.js';

@InputType({ description: 'An API key or a refresh token: exactly one of the two.' })
export class ObtainServiceTokenInput {
  @Field(() => String, { nullable: true, description: 'An API key of the organisation.' })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'The refresh token of an earlier answer.' })
  refreshToken?: string | null;
}

@ObjectType()
export class ObtainServiceToken {
  @Field({ description: 'Sent in the header `Authorization: Token …` of every data-import request.' })
  token: string;

  @Field(() => GraphQLJSON, { description: 'The claims of the token; `iat` and `exp` are Unix times.' })
  payload: TokenClaims;

  @Field({ description: 'Obtains further tokens until `refreshExpiresIn`; it can be used more than once.' })
  refreshToken: string;

  @Field(() => Int, { description: 'Unix time, in seconds, at which the refresh token expires.' })
  refreshExpiresIn: number;
}

@ObjectType()
export class ForceReauthentication {
  @Field({ description: 'Tokens that were issued before this time are revoked; `YYYY-MM-DDTHH:MM:SSZ`.' })
  effectiveAt: string;
}

@ObjectType('Organisation')
export class ViewerOrganisation {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;
}

/** The owner of the token. Other modules add their own fields. */
@ObjectType({ description: 'The owner of the token.' })
export class Viewer {
  @Field()
  organisation: ViewerOrganisation;
}
