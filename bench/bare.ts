// The ceiling of the runtime: an answer of the same size from node:http and nothing else.
import { createServer } from 'node:http'

const body = JSON.stringify({ sessionStatus: 'Created' })
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
process.on('disconnect', () => process.exit())
