// Writes docs/clinic.schema.json, by which an editor checks the file of `fyr apply`, from the schema that the command reads it with.
import { writeFileSync } from 'node:fs'
import { clinicSchemaText } from '../src/account/file/clinic-file.ts'

writeFileSync(new URL('../docs/clinic.schema.json', import.meta.url), clinicSchemaText())
