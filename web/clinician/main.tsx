import './clinician.css'
