import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { NotesBatcher } from './notes.batcher.js';
import { NotesController } from './notes.controller.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [NotesController],
  providers: [NotesService, NotesBatcher, NotesRepository],
})
export class NotesModule {}
