import { Field, ObjectType } from 'type-graphql';

@ObjectType('File', { description: 'A file; REST answers its bytes.' })
export class FileType {
  @Field(() => String) declare mediaType: string;
  @Field(() => String) declare base64: string;
}
