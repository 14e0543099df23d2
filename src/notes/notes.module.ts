import { Module } from '@nestjs/common';
import { ImportsModule } from '../ingest/imports.module.js';
import { NotesController } from './notes.controller.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [NotesController],
  providers: [NotesService],
})
export class NotesModule {}
